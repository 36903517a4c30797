/**
 * How the context of a session stands in which nothing was said yet, and what happens as it fills, for tests.
 */
import type { HealthView, StrategyNumbers } from './bindings';

/** A context of which nothing was reported yet, of a model of 8,192 tokens. */
export const unreportedHealth: HealthView = {
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

/** At how many tokens something happens by itself with the model of a new session. */
export const strategyNumbers: StrategyNumbers = {
  model: { provider: 'demo', model: 'demo-8k' },
  available: 4_096,
  summarizeAbove: 2_457,
  remindAbove: 6_553,
  countDownAbove: 7_372,
  archiveAbove: 7_372,
  takesTools: true,
  global: 'summarize',
};

/** The same where nobody knows how much the model holds. */
export const unknownWindowNumbers: StrategyNumbers = {
  ...strategyNumbers,
  model: { provider: 'p', model: 'weaver-1' },
  available: null,
  summarizeAbove: null,
  remindAbove: null,
  countDownAbove: null,
  archiveAbove: null,
};
