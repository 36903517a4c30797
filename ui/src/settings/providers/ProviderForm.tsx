/**
 * The form of one provider: its kind, address and key. A button saves it, because a half-typed address is
 * not valid.
 */
import { useEffect, useRef, useState } from 'react';
import { useText } from '../../i18n';
import type { ProviderId, ProviderKind, ProviderView, SessionId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Select } from '../../kit/fields/Select';
import { Row, Stack } from '../../kit/display/Stack';
import { TextField } from '../../kit/fields/TextField';
import { useUnsavedForm } from '../../kit/overlays/unsavedGuard';
import { HeadersField } from './HeadersField';
import { ApiKeyField } from './ApiKeyField';
import { ProviderAddress } from './ProviderAddress';
import { ProviderTest } from './ProviderTest';
import { hasKey, hasSameEndpoint } from './providerConfig';
import { useProviderActions } from './useProviderActions';
import { useProviderFields } from './useProviderFields';
import { useReportErrorToast } from '../useSaveSettings';

type ProviderFormProps = {
  /** Makes the id of a new provider. */
  suffix: string;
  /** Undefined: a new provider. */
  view: ProviderView | undefined;
  kinds: readonly ProviderKind[];
  /** The session behind the settings; null: none. */
  session: SessionId | null;
  /** The settings were opened to enter the key. */
  focusKey: boolean;
  onSaved: (id: ProviderId) => void;
  onRemoved: () => void;
};

export function ProviderForm(props: ProviderFormProps) {
  const { view, kinds, session, focusKey, onSaved, onRemoved } = props;
  const text = useText();
  const reportError = useReportErrorToast();
  const actions = useProviderActions(session);
  const fields = useProviderFields(props);
  const { kind, baseUrl, key, config } = fields;
  useUnsavedForm(fields.isDirty);
  /** The address that Rust rejected; null: none. */
  const [invalidUrl, setInvalidUrl] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const isNew = view === undefined;
  const focused = isNew ? '[role="combobox"]' : focusKey ? '[name="apiKey"]' : null;
  useEffect(() => {
    if (focused !== null) form.current?.querySelector<HTMLElement>(focused)?.focus();
  }, [focused]);

  const save = () => {
    const typedKey = key.trim();
    return actions.save(config, {
      key: typedKey,
      isCallable: typedKey !== '' || hasKey(config, kind, view),
      isChanged: isNew || !hasSameEndpoint(config, view.config),
      onInvalidUrl: () => {
        setInvalidUrl(baseUrl);
        form.current?.querySelector<HTMLElement>('[name="baseUrl"]')?.focus();
      },
      onSaved: () => {
        fields.setKey('');
        onSaved(config.id);
      },
    });
  };

  return (
    <form
      ref={form}
      className="Settings-card"
      aria-label={config.name}
      onSubmit={(event) => {
        event.preventDefault();
        reportError(save());
      }}
    >
      <Stack>
        <Select
          label={text('settings.type')}
          hint={text('providers.typeHint')}
          value={config.kind}
          options={kinds.map(({ id, name: label }) => ({ value: id, label }))}
          onChange={fields.setKind}
        />
        <TextField label={text('settings.name')} value={fields.name} onChange={fields.setName} />
        <ProviderAddress
          config={config}
          kinds={kinds}
          typed={baseUrl}
          invalid={invalidUrl === baseUrl}
          onTyped={fields.setBaseUrl}
          onExact={fields.setExactUrl}
          onKind={fields.setKind}
        />
        <ApiKeyField view={view} kind={kind} value={key} onChange={fields.setKey} />
        <HeadersField value={fields.headers} onChange={fields.setHeaders} />
        <ProviderTest
          config={config}
          apiKey={key}
          suggested={view?.models[0]?.model.model ?? kind?.defaultModel ?? ''}
          kinds={kinds}
          onKind={fields.setKind}
        />
        <Row>
          <Button kind="primary" submit>
            {text('settings.save')}
          </Button>
          {view && (
            <Button
              icon="trash"
              onClick={() => {
                reportError(actions.remove(view.config, onRemoved));
              }}
            >
              {text('settings.remove')}
            </Button>
          )}
        </Row>
      </Stack>
    </form>
  );
}
