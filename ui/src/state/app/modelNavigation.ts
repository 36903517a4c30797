/**
 * The way from wherever it is said that nobody knows what a model holds to where the person can say
 * it: its field in the settings. The window knows how to open them.
 */
import { createContext, use } from 'react';
import type { ModelRef } from '../../ipc/bindings';

export const ModelNavigationContext = createContext<(model: ModelRef) => void>(() => undefined);

export const useNavigateToModel = () => use(ModelNavigationContext);
