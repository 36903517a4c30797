/**
 * Opens the page of usage and budgets in the settings, from where a budget is used up. The app window
 * provides the function.
 */
import { createContext, use } from 'react';

export const UsageNavigationContext = createContext<() => void>(() => undefined);

export const useNavigateToUsage = () => use(UsageNavigationContext);
