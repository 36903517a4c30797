/**
 * A value that follows at once after a pause, and while changes come faster than `rest`, in ms, when they
 * pause: the first letter of a search is looked for at once, and a pasted or held key once.
 */
import { useEffect, useRef, useState } from 'react';

export function useLeadingDebounced<Value>(value: Value, rest: number): Value {
  const [followed, setFollowed] = useState(value);
  const changedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const now = performance.now();
    const delay = now - changedAt.current < rest ? rest : 0;
    changedAt.current = now;
    const timer = setTimeout(() => {
      setFollowed(value);
    }, delay);
    return () => {
      clearTimeout(timer);
    };
  }, [value, rest]);
  return followed;
}
