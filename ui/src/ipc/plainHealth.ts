/**
 * How the context of a session stands in which nothing was said yet, for tests.
 */
import type { HealthView } from './bindings';

/** A context of which nothing was reported yet, of a model of 8,192 tokens. */
export const plainHealth: HealthView = {
  latest: {
    level: 'unavailable',
    prompt: null,
    limit: 8_192,
    optimal: 6_553,
    critical: 7_372,
    hardUtil: null,
    optimalUtil: null,
  },
  unmentioned: null,
  waits: null,
};
