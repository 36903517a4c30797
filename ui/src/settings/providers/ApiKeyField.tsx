/**
 * The API key: it goes in and never comes back. What is known is only where it is kept, and what can be
 * shown only what is being typed.
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

/** In the place of a key that is known, which nobody sees. */
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

/** Before one is typed: whether one is needed, and where else it may come from. */
function missingKeyHint(text: Translate, kind: ProviderKind | undefined): string {
  const { keyFound = null, keyEnv: [variable] = [] } = kind ?? {};
  if (keyFound !== null) return text('providers.keyFromEnvironment', { variable: keyFound });
  if (kind?.keyless) {
    // Whose address only the person knows may be anybody.
    return text(kind.baseUrl === null ? 'providers.keyIfAsked' : 'settings.keyNotNeeded');
  }
  return variable === undefined
    ? text('settings.keyMissing')
    : text('providers.keyMayBeInEnvironment', { variable });
}

export function ApiKeyField({ view, kind, value, onChange }: ApiKeyFieldProps) {
  const text = useText();
  const client = useQueryClient();
  const attempt = useReportErrorToast();
  const { commands } = useBackend();
  const key = view?.key;
  const place = key?.type === 'at' ? key.place : null;
  const [shown, setShown] = useState(false);
  const [asked, setAsked] = useState(false);
  // The next one that is typed is hidden again.
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
            attempt(
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

/** Opens in the browser, and only when it is pressed. */
function ApiKeyLink({ address }: { address: string }) {
  const text = useText();
  const attempt = useReportErrorToast();
  const { desktop } = useBackend();
  return (
    <a
      href={address}
      title={address}
      rel="noreferrer"
      draggable={false}
      onClick={(event) => {
        event.preventDefault();
        attempt(desktop.openLink(address));
      }}
      onAuxClick={(event) => {
        event.preventDefault();
        if (event.button === 1) attempt(desktop.openLink(address));
      }}
    >
      {text('providers.getKey')}
    </a>
  );
}
