/**
 * The errors of the settings file: invalid values, or an unreadable file.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { SettingsView } from '../../ipc/bindings';
import { Banner } from '../../kit/display/Banner';
import { Button } from '../../kit/controls/Button';
import { useToast } from '../../kit/notifications/Toast';
import { errorText } from '../../state/text/errorText';
import { queryKeys } from '../../state/queries/queries';
import { useReportErrorToast } from '../useSaveSettings';

/** A default without a value, such as the language of the system. */
const unset = 'null';

export function SettingsErrors({ view }: { view: SettingsView }) {
  const text = useText();
  const toast = useToast();
  const client = useQueryClient();
  const reportError = useReportErrorToast();
  const { commands } = useBackend();
  const reset = async () => {
    const path = await commands.resetSettings();
    toast({ words: text('settings.resetDone', { path }) });
    await client.invalidateQueries({ queryKey: queryKeys.settings });
  };
  return (
    <>
      {view.broken && (
        <Banner
          kind="danger"
          actions={
            <Button
              onClick={() => {
                reportError(reset());
              }}
            >
              {text('settings.reset')}
            </Button>
          }
        >
          {errorText(text, view.broken)}
        </Banner>
      )}
      {view.problems.length > 0 && (
        <Banner kind="warning">
          {text('settings.problems', { path: view.path })}
          <ul className="Settings-problems">
            {view.problems.map(({ key, found, used }) => (
              <li key={key}>
                {used === unset
                  ? text('settings.problemUnset', { key, found })
                  : text('settings.problem', { key, found, used })}
              </li>
            ))}
          </ul>
        </Banner>
      )}
    </>
  );
}
