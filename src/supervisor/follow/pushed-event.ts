import type { FollowEvent } from './changes.ts';
import type { ScreenEvent } from './screens.ts';

/** Whatever the supervisor sends as one of many answers. */
export type PushedEvent = FollowEvent | ScreenEvent;
