/**
 * References to models. The id of a model may contain any character, also a slash.
 */
import type { ModelRef } from '../../ipc/bindings';

/** A unique string for each model. */
export const modelKey = ({ provider, model }: ModelRef) => JSON.stringify([provider, model]);

export const isSameModel = (one: ModelRef, other: ModelRef) => modelKey(one) === modelKey(other);

/** The context window that is assumed while a model's own is unknown, in tokens (FR-3.3). */
export const assumedWindow = 96_000;
