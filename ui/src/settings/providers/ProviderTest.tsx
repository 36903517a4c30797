/**
 * "Test connection": one small call with the values of the form, saved or not, and its result. Without a
 * model name it goes to the first model that the provider lists.
 */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { BudgetQuestion } from '../../budgets/BudgetQuestion';
import { useText, type Translate } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Error as AppError, ProviderConfig, ProviderKind } from '../../ipc/bindings';
import { Banner } from '../../kit/display/Banner';
import { Button } from '../../kit/controls/Button';
import { Row } from '../../kit/display/Stack';
import { TextField } from '../../kit/fields/TextField';
import { errorText, toAppError } from '../../state/text/errorText';

type ProviderTestProps = {
  config: ProviderConfig;
  kinds: readonly ProviderKind[];
  apiKey: string;
  suggested: string;
  onKind: (kind: string) => void;
};

export function ProviderTest(props: ProviderTestProps) {
  const { config, kinds, apiKey, suggested, onKind } = props;
  const text = useText();
  const { commands } = useBackend();
  const [typed, setTyped] = useState<string | null>(null);
  const model = typed ?? suggested;
  const sameService = sameServiceKind(kinds, config);
  const test = useMutation({
    mutationFn: (named: string | null) =>
      commands.testProvider(config, apiKey === '' ? null : apiKey, named),
  });
  const fault = test.isError ? toAppError(test.error) : null;
  return (
    <>
      <TextField
        label={text('settings.testWith')}
        hint={text('settings.testWithHint')}
        value={model}
        onChange={setTyped}
      />
      <Row>
        <Button
          disabled={test.isPending}
          onClick={() => {
            test.mutate(model.trim() === '' ? null : model.trim());
          }}
        >
          {test.isPending ? text('settings.testing') : text('settings.test')}
        </Button>
      </Row>
      {test.isSuccess && <Banner kind="info">{text('settings.testWorked')}</Banner>}
      {test.isSuccess && test.variables === null && (
        <p>{text('settings.testAsked', { model: test.data })}</p>
      )}
      {fault?.kind === 'overBudget' && (
        <BudgetQuestion
          sessionId={null}
          stop={fault.stop}
          onAllowed={() => test.mutateAsync(test.variables ?? null)}
          onDismiss={test.reset}
        />
      )}
      {fault && fault.kind !== 'overBudget' && (
        <Banner kind="danger">{testErrorText(text, fault)}</Banner>
      )}
      {sameService && fault?.kind === 'unauthorized' && (
        <p>
          {text('providers.keyOfTwin', { name: sameService.name })}{' '}
          <Button
            onClick={() => {
              test.reset();
              onKind(sameService.id);
            }}
          >
            {text('providers.useKind', { name: sameService.name })}
          </Button>
        </p>
      )}
    </>
  );
}

/** `noKey` has a text of its own here: the usual one leads the user to this form. */
const testErrorText = (text: Translate, fault: AppError) =>
  fault.kind === 'noKey' ? text('providers.testNeedsKey') : errorText(text, fault);

/** The same service at another address, to which the key may belong: both read the same variable. */
function sameServiceKind(kinds: readonly ProviderKind[], { kind, baseUrl }: ProviderConfig) {
  const own = kinds.find(({ id }) => id === kind);
  if (!own || (baseUrl ?? null) !== null) return undefined;
  return kinds.find(
    (other) =>
      other.baseUrl !== own.baseUrl && other.keyEnv.some((name) => own.keyEnv.includes(name)),
  );
}
