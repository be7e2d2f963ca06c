import type { Instant } from '../../base/ports.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import { type DeliveryPolicy, type DeliveryView, type Facts, type TypingStep, waitStep } from './delivery-step.ts';
import { flightFacts, IN_FLIGHT, IN_FLIGHT_ON_SCREEN } from './in-flight-rules.ts';
import { PLAIN_IN_FLIGHT, PLAIN_WAITING, plainFacts } from './plain-rules.ts';
import { firstStep, type Ruled } from './rules.ts';
import { WAITING, WAITING_ON_SCREEN } from './waiting-rules.ts';

export type DeliveryStep = Ruled<TypingStep>;

/** Decides the next step for a prompt that is typed, and names the rule that decided. */
export function decideDelivery(row: Delivery, view: DeliveryView, policy: DeliveryPolicy, now: Instant): DeliveryStep {
  const facts = { row, view, policy, now };
  const inFlight = row.state === 'typed' || row.state === 'submitted';
  return (
    firstStep(inFlight ? IN_FLIGHT : WAITING, facts) ??
    byScreen(inFlight, facts) ?? { ...waitStep('the screen was not captured in this pass'), rule: 'screen not captured' }
  );
}

function byScreen(inFlight: boolean, facts: Facts): DeliveryStep | undefined {
  const { screen } = facts.view;
  if (screen === undefined) return undefined;
  const withScreen = { ...facts, ...screen };
  const { plain } = facts.view;
  if (plain !== undefined) return firstStep(inFlight ? PLAIN_IN_FLIGHT : PLAIN_WAITING, plainFacts(withScreen, plain));
  return inFlight ? firstStep(IN_FLIGHT_ON_SCREEN, flightFacts(withScreen)) : firstStep(WAITING_ON_SCREEN, withScreen);
}
