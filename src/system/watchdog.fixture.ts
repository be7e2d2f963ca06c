import { startWatchdog } from './watchdog.ts';

/** A program under a watchdog. It gives signs of life, blocks its event loop, or lives and gives none. */
const [how] = process.argv.slice(2);
// The one that feeds it must not be killed because the machine is slow.
const watchdog = startWatchdog(how === 'feeds' ? 3_000 : 300, 'ended by its watchdog');
if (how === 'feeds') {
  const timer = setInterval(() => watchdog.feed(), 10);
  setTimeout(() => {
    clearInterval(timer);
    watchdog[Symbol.dispose]();
  }, 4_000);
}
if (how === 'blocks') for (;;);
if (how === 'idles') setInterval(() => undefined, 1_000);
