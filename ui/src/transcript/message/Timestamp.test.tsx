import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../../test/render';
import { Timestamp } from './Timestamp';

it('tells the time of a message of today, and the date of one before', () => {
  const at = new Date();
  at.setHours(9, 5, 0, 0);
  const { rerender } = renderPart(<Timestamp at={at.getTime()} />);
  expect(screen.getByRole('time')).toHaveTextContent(/^9:05\sAM$/);
  expect(screen.getByRole('time')).toHaveAttribute('dateTime', at.toISOString());
  rerender(<Timestamp at={new Date(2020, 2, 3).getTime()} />);
  expect(screen.getByRole('time')).toHaveTextContent('Mar 3, 2020');
});

it('says nothing of what is no moment', () => {
  renderPart(<Timestamp at={1e17} />);
  expect(screen.queryByRole('time')).not.toBeInTheDocument();
});
