/**
 * The parts of the window that are loaded when they are first opened, or a moment after the window
 * stands: the start does not wait for them, and neither does the person who opens one later.
 */
import { lazy, useEffect } from 'react';

const loadSettings = () => import('../settings/SettingsDialog');
const loadEstimate = () => import('../context/ContextDialog');
const loadCompare = () => import('../context/CompareDialog');

export const SettingsDialog = lazy(async () => ({
  default: (await loadSettings()).SettingsDialog,
}));
export const ContextDialog = lazy(async () => ({ default: (await loadEstimate()).ContextDialog }));
export const CompareDialog = lazy(async () => ({ default: (await loadCompare()).CompareDialog }));

/** How long after its start the window has nothing else to do, in ms. */
const moment = 1_500;

export function useLoadedAhead() {
  useEffect(() => {
    const timer = setTimeout(() => {
      void Promise.all([loadEstimate(), loadSettings(), loadCompare()]);
    }, moment);
    return () => {
      clearTimeout(timer);
    };
  }, []);
}
