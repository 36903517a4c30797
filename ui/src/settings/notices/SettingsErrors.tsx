/**
 * What is wrong with the settings file: values that could not be used, or a file that cannot be read.
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

/** A default that says nothing, such as a language that follows the system. */
const unset = 'null';

export function SettingsErrors({ view }: { view: SettingsView }) {
  const text = useText();
  const toast = useToast();
  const client = useQueryClient();
  const attempt = useReportErrorToast();
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
                attempt(reset());
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
