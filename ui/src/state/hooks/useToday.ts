/**
 * A time of the current day, in ms since 1970. It changes at midnight.
 */
import { useEffect, useState } from 'react';

export function useToday(): number {
  const [today, setToday] = useState(Date.now);
  useEffect(() => {
    const end = new Date(today).setHours(24, 0, 0, 0);
    const timer = setTimeout(() => {
      setToday(Date.now());
    }, end - Date.now());
    return () => {
      clearTimeout(timer);
    };
  }, [today]);
  return today;
}
