/**
 * The current time, for countdowns.
 */
import { useEffect, useState } from 'react';

/** Milliseconds since 1970, updated each second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
    }, 1000);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return now;
}
