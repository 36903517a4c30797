/**
 * The button that shows a tool output of which the model got only the beginning and the end.
 */
import { use } from 'react';
import { useText } from '../../i18n';
import type { WholeOutput as Whole } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { ViewerContext } from '../state/viewerContext';

export function ToolOutputButton({ tool, whole }: { tool: string; whole: Whole }) {
  const text = useText();
  const open = use(ViewerContext);
  return (
    <Button
      kind="quiet"
      icon="eye"
      onClick={() => {
        open({ type: 'output', tool, whole });
      }}
    >
      {text('tools.showWhole', { chars: whole.chars })}
    </Button>
  );
}
