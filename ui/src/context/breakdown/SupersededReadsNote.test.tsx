import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { emptyBreakdown } from '../../../test/fixtures/breakdownFixtures';
import { renderPart } from '../../../test/render';
import { SupersededReadsNote } from './SupersededReadsNote';

it('w06 says how many reads are left out and what they took, and nothing where none is', () => {
  const supersededReads = [
    { messageId: 7, callId: 'a', tokens: 1_000 },
    { messageId: 7, callId: 'b', tokens: 234 },
  ];
  const { rerender } = renderPart(
    <SupersededReadsNote breakdown={{ ...emptyBreakdown, supersededReads }} />,
  );
  expect(screen.getByText(/^2 earlier reads.*took 1,234 tokens/)).toBeVisible();
  rerender(<SupersededReadsNote breakdown={emptyBreakdown} />);
  expect(screen.queryByText(/earlier read/)).toBeNull();
});
