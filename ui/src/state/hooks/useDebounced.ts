/**
 * A value that changes only after it has rested for a while, in ms: what is asked while typing is
 * asked once.
 */
import { useEffect, useState } from 'react';

export function useDebounced<Value>(value: Value, rest: number): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      setRested(value);
    }, rest);
    return () => {
      clearTimeout(timer);
    };
  }, [value, rest]);
  return rested;
}
