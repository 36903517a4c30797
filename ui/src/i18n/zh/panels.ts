import { appearance } from './settings/appearance';
import { breakdown } from './context/breakdown';
import { compaction } from './context/compaction';
import { desktop } from './settings/desktop';
import { diagnostics } from './settings/diagnostics';
import { healthChart } from './context/healthChart';
import { markdown } from './conversation/markdown';
import { mcp } from './settings/mcp';
import { quick } from './conversation/quick';
import { quarantine } from './settings/quarantine';
import { savings } from './context/savings';
import { seen } from './context/seen';
import { sentTools } from './context/sentTools';
import { settings } from './settings/settings';
import { strategy } from './context/strategy';
import { tools } from './conversation/tools';
import { toolAbout } from './conversation/toolAbout';
import { toolSettings } from './settings/toolSettings';
import { toolCleaning } from './settings/toolCleaning';
import { updates } from './settings/updates';
import { upperBound } from './settings/upperBound';
import { data } from './settings/data';
import { start } from './app/start';

export const panels = {
  appearance,
  breakdown,
  compaction,
  desktop,
  diagnostics,
  healthChart,
  markdown,
  mcp,
  quick,
  quarantine,
  savings,
  seen,
  sentTools,
  settings,
  strategy,
  tools,
  toolAbout,
  toolSettings,
  toolCleaning,
  updates,
  upperBound,
  data,
  start,
} as const;
