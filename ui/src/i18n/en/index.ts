import { firstFrame } from './firstFrame';
import { panels } from './panels';

export const en = { ...firstFrame, ...panels };
