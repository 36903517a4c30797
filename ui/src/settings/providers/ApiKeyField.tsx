/**
 * The API key of a provider. A stored key is never shown, only where it is stored; the typed text can be
 * shown.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useText, type Translate } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ProviderKind, ProviderView, SecretLocation } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Row } from '../../kit/display/Stack';
import { TextField } from '../../kit/fields/TextField';
import { errorText } from '../../state/text/errorText';
import { queryKeys } from '../../state/queries/queries';
import { ForgetKeyDialog } from '../fields/ForgetKeyDialog';
import { useReportErrorToast } from '../useSaveSettings';

type ApiKeyFieldProps = {
  view: ProviderView | undefined;
  kind: ProviderKind | undefined;
  value: string;
  onChange: (value: string) => void;
};

/** The placeholder of a stored key. */
const hidden = '•'.repeat(12);

export function secretLocationText(text: Translate, place: SecretLocation): string {
  switch (place.type) {
    case 'keychain':
      return text('settings.keyInKeychain');
    case 'file':
      return text('settings.keyInFile', { path: place.path });
    case 'environment':
      return text('settings.keyInEnvironment', { variable: place.variable });
  }
}

/** The placeholder without a key: whether one is needed, and where else it may come from. */
function missingKeyHint(text: Translate, kind: ProviderKind | undefined): string {
  const { keyFound = null, keyEnv: [variable] = [] } = kind ?? {};
  if (keyFound !== null) return text('providers.keyFromEnvironment', { variable: keyFound });
  if (kind?.keyless) {
    // A custom address may be any service.
    return text(kind.baseUrl === null ? 'providers.keyIfAsked' : 'settings.keyNotNeeded');
  }
  return variable === undefined
    ? text('settings.keyMissing')
    : text('providers.keyMayBeInEnvironment', { variable });
}

export function ApiKeyField({ view, kind, value, onChange }: ApiKeyFieldProps) {
  const text = useText();
  const client = useQueryClient();
  const reportError = useReportErrorToast();
  const { commands } = useBackend();
  const key = view?.key;
  const place = key?.type === 'at' ? key.place : null;
  const [shown, setShown] = useState(false);
  const [asked, setAsked] = useState(false);
  // The next typed key is hidden again.
  if (shown && value === '') setShown(false);
  return (
    <div className="KeyField">
      <TextField
        label={text('settings.apiKey')}
        name="apiKey"
        type={shown ? 'text' : 'password'}
        value={value}
        onChange={onChange}
        placeholder={place ? hidden : undefined}
        hint={place ? secretLocationText(text, place) : missingKeyHint(text, kind)}
        error={key?.type === 'unknown' ? errorText(text, key.fault) : undefined}
      />
      <Row>
        {kind?.keyPage && <ApiKeyLink address={kind.keyPage} />}
        {view && place && place.type !== 'environment' && (
          <Button
            kind="quiet"
            onClick={() => {
              setAsked(true);
            }}
          >
            {text('settings.forgetKey')}
          </Button>
        )}
        {value !== '' && (
          <Button
            kind="quiet"
            icon={shown ? 'eye-off' : 'eye'}
            onClick={() => {
              setShown(!shown);
            }}
          >
            {text(shown ? 'providers.hideKey' : 'providers.showKey')}
          </Button>
        )}
      </Row>
      {view && asked && (
        <ForgetKeyDialog
          onForget={() => {
            reportError(
              commands
                .removeKey(view.config.id)
                .then(() => client.invalidateQueries({ queryKey: queryKeys.providers })),
            );
          }}
          onClose={() => {
            setAsked(false);
          }}
        />
      )}
    </div>
  );
}

/** Opens in the browser. */
function ApiKeyLink({ address }: { address: string }) {
  const text = useText();
  const reportError = useReportErrorToast();
  const { desktop } = useBackend();
  return (
    <a
      href={address}
      title={address}
      rel="noreferrer"
      draggable={false}
      onClick={(event) => {
        event.preventDefault();
        reportError(desktop.openLink(address));
      }}
      onAuxClick={(event) => {
        event.preventDefault();
        if (event.button === 1) reportError(desktop.openLink(address));
      }}
    >
      {text('providers.getKey')}
    </a>
  );
}
