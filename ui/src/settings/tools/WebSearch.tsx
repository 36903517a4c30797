/**
 * The service of the model's web search. A stored key is never shown.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { SearchEngine } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { RadioGroup } from '../../kit/fields/RadioGroup';
import { Row, Stack } from '../../kit/display/Stack';
import { TextField } from '../../kit/fields/TextField';
import { useToast } from '../../kit/notifications/Toast';
import { useUnsavedForm } from '../../kit/overlays/unsavedGuard';
import { useSearchKey } from '../../state/queries/toolQueries';
import { UrlField } from '../fields/UrlField';
import { ForgetKeyDialog } from '../fields/ForgetKeyDialog';
import { secretLocationText } from '../providers/ApiKeyField';
import { useReportErrorToast, type SettingsPageProps } from '../useSaveSettings';

const searchEngineKinds = ['none', 'brave', 'tavily', 'searxng'] as const;
type SearchEngineKind = (typeof searchEngineKinds)[number];

export function WebSearch({ settings, save }: SettingsPageProps) {
  const text = useText();
  const { search } = settings.tools;
  const [kind, setKind] = useState<SearchEngineKind>(search?.type ?? 'none');
  const keep = (engine: SearchEngine | null) => {
    save((old) => ({ ...old, tools: { ...old.tools, search: engine } }));
  };
  const choose = (chosen: SearchEngineKind) => {
    setKind(chosen);
    // SearXNG is chosen together with its address.
    if (chosen === 'none') keep(null);
    else if (chosen !== 'searxng') keep({ type: chosen });
  };
  return (
    <section aria-label={text('toolSettings.search')}>
      <Stack>
        <RadioGroup
          label={text('toolSettings.search')}
          choices={searchEngineKinds.map((value) => ({
            value,
            label: text(`toolSettings.search_${value}`),
            ...(value === 'none' && { hint: text('toolSettings.searchHint') }),
          }))}
          value={kind}
          onChange={choose}
        />
        {kind === 'searxng' && (
          <UrlField
            label={text('toolSettings.searxng')}
            value={search?.type === 'searxng' ? search.url : null}
            onSave={(url) => {
              if (url !== null) keep({ type: 'searxng', url });
            }}
          />
        )}
        {(kind === 'brave' || kind === 'tavily') && <SearchApiKeyField />}
      </Stack>
    </section>
  );
}

function SearchApiKeyField() {
  const text = useText();
  const toast = useToast();
  const reportError = useReportErrorToast();
  const { commands } = useBackend();
  const { data: place = null } = useSearchKey();
  const [key, setKey] = useState('');
  const [asked, setAsked] = useState(false);
  useUnsavedForm(key.trim() !== '');
  const keepKey = async () => {
    await commands.setSearchKey(key);
    setKey('');
    toast({ words: text('toolSettings.keyKept') });
  };
  const forget = async () => {
    await commands.removeSearchKey();
    toast({ words: text('toolSettings.keyForgotten') });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        reportError(keepKey());
      }}
    >
      <Stack>
        <TextField
          label={text('toolSettings.searchKey')}
          type="password"
          value={key}
          onChange={setKey}
          hint={place ? secretLocationText(text, place) : text('settings.keyMissing')}
        />
        <Row>
          <Button submit disabled={key.trim() === ''}>
            {text('toolSettings.saveKey')}
          </Button>
          {place && (
            <Button
              kind="quiet"
              onClick={() => {
                setAsked(true);
              }}
            >
              {text('toolSettings.forgetKey')}
            </Button>
          )}
        </Row>
      </Stack>
      {asked && (
        <ForgetKeyDialog
          onForget={() => {
            reportError(forget());
          }}
          onClose={() => {
            setAsked(false);
          }}
        />
      )}
    </form>
  );
}
