import { describe, expect, test } from 'vitest';
import { decideDelivery } from './deliver/decide-delivery.ts';
import { LOST_INPUT_CASES, PARTIAL_SEND_CASES, TYPED_AT } from './delivery-cases.ts';
import { DELIVERY_POLICY } from './samples.ts';

describe.each([
  ['lost input', LOST_INPUT_CASES],
  ['a partial send', PARTIAL_SEND_CASES],
])('%s', (_, cases) => {
  test.each(cases)('$when', ({ view, step }) => {
    expect(decideDelivery(view.row, view.view, DELIVERY_POLICY, TYPED_AT)).toMatchObject(step);
  });
});
