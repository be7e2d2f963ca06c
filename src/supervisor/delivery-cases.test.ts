import { describe, expect, test } from 'vitest';
import { decideDelivery } from './deliver/decide-delivery.ts';
import { DELIVERY_CASE_POLICY, LOST_INPUT_CASES, PARTIAL_SEND_CASES, TYPED_AT } from './delivery-cases.ts';

describe.each([
  ['lost input', LOST_INPUT_CASES],
  ['a partial send', PARTIAL_SEND_CASES],
])('%s', (_, cases) => {
  test.each(cases)('$when', ({ view, step }) => {
    expect(decideDelivery(view.row, view.view, DELIVERY_CASE_POLICY, TYPED_AT)).toMatchObject(step);
  });
});
