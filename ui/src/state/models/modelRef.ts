/**
 * Which model is meant. Its id may hold any sign, a slash as well.
 */
import type { ModelRef } from '../../ipc/bindings';

/** The same for the same model alone. */
export const modelKey = ({ provider, model }: ModelRef) => JSON.stringify([provider, model]);

export const isSameModel = (one: ModelRef, other: ModelRef) => modelKey(one) === modelKey(other);

/** What is reckoned with where nobody knows how much a model holds, in tokens (FR-3.3). */
export const assumedWindow = 96_000;
