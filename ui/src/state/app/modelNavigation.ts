/**
 * Opens the settings at a model's context window, from any place that reports it as unknown. The app window
 * provides the function.
 */
import { createContext, use } from 'react';
import type { ModelRef } from '../../ipc/bindings';

export const ModelNavigationContext = createContext<(model: ModelRef) => void>(() => undefined);

export const useNavigateToModel = () => use(ModelNavigationContext);
