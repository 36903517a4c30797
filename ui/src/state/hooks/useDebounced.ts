/**
 * A value that changes only after it has been the same for `rest` ms: a query runs once while the user
 * types.
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
