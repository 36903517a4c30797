/**
 * The current step of an update in words, or the result of the last one, with the buttons that go on from it.
 */
import { useFormats, useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { UpdateAction, UpdateFault, UpdatesView } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Disclosure } from '../../kit/controls/Disclosure';
import { Banner } from '../../kit/display/Banner';
import { Spinner } from '../../kit/display/Spinner';
import { Row } from '../../kit/display/Stack';
import { CopyButton } from '../../kit/notifications/CopyButton';
import { Markdown } from '../../markdown/render/Markdown';
import { errorText } from '../../state/text/errorText';

type UpdateStepProps = { view: UpdatesView; host: string; run: (action: UpdateAction) => void };

export function UpdateStep({ view: { state, version, isPackaged }, host, run }: UpdateStepProps) {
  const text = useText();
  const formats = useFormats();
  const check = () => {
    run('check');
  };
  const cancel = () => {
    run('cancel');
  };
  switch (state.type) {
    case 'idle':
      return <CheckButton onCheck={check} />;
    case 'upToDate':
      return (
        <>
          <p role="status">{text('updates.upToDate', { version })}</p>
          <CheckButton onCheck={check} />
        </>
      );
    case 'checking':
      return <Progress words={text('updates.checking', { host })} onCancel={cancel} />;
    case 'available':
      return (
        <AvailableUpdate
          {...state}
          isPackaged={isPackaged}
          onInstall={() => {
            run('install');
          }}
        />
      );
    case 'downloading': {
      const received = formats.size(state.received);
      const words =
        state.total === null
          ? text('updates.downloading', { received })
          : text('updates.downloadingOf', { received, total: formats.size(state.total) });
      return <Progress words={words} onCancel={cancel} />;
    }
    case 'waitingForWork':
      return <Progress words={text('updates.waiting')} onCancel={cancel} />;
    case 'installing':
      return <Progress words={text(isPackaged ? 'updates.keeping' : 'updates.installing')} />;
    case 'goingBack':
    case 'installed':
      return <Progress words={text(`updates.${state.type}`)} />;
    case 'packaged':
      return <PackageCommand {...state} words="updates.packaged" />;
    case 'returnStaged':
      return (
        <>
          <PackageCommand {...state} words="updates.returnStaged" />
          <p>
            <Button onClick={cancel}>{text('updates.stay', { version })}</Button>
          </p>
        </>
      );
    case 'failed':
      return (
        <>
          <Banner kind="warning">
            <UpdateFaultText fault={state.fault} />
          </Banner>
          <CheckButton onCheck={check} />
        </>
      );
  }
}

function CheckButton({ onCheck }: { onCheck: () => void }) {
  const text = useText();
  return (
    <p>
      <Button onClick={onCheck}>{text('updates.check')}</Button>
    </p>
  );
}

/** Without `onCancel` the step cannot be cancelled. */
function Progress({ words, onCancel }: { words: string; onCancel?: () => void }) {
  const text = useText();
  return (
    <div role="status">
      <Row>
        <Spinner>{words}</Spinner>
        {onCancel && (
          <Button kind="quiet" onClick={onCancel}>
            {text('updates.cancel')}
          </Button>
        )}
      </Row>
    </div>
  );
}

type AvailableUpdateProps = {
  version: string;
  notes: string | null;
  isPackaged: boolean;
  onInstall: () => void;
};

function AvailableUpdate({ version, notes, isPackaged, onInstall }: AvailableUpdateProps) {
  const text = useText();
  return (
    <>
      <p role="status">{text('updates.available', { version })}</p>
      {notes !== null && (
        <Disclosure label={text('updates.notes')}>
          <Markdown text={notes} />
        </Disclosure>
      )}
      <p className="Settings-quiet">
        {text(isPackaged ? 'updates.downloadHint' : 'updates.installHint')}
      </p>
      <p>
        <Button kind="primary" onClick={onInstall}>
          {text(isPackaged ? 'updates.download' : 'updates.install')}
        </Button>
      </p>
    </>
  );
}

type PackageCommandProps = {
  version: string;
  command: string;
  words: 'updates.packaged' | 'updates.returnStaged';
};

/** The command with which the package manager installs a version. */
function PackageCommand({ version, command, words }: PackageCommandProps) {
  const text = useText();
  const { desktop } = useBackend();
  return (
    <>
      <p role="status">{text(words, { version })}</p>
      <Row>
        <code className="Settings-path">{command}</code>
        <CopyButton
          worded
          label={text('updates.copyCommand')}
          copy={() => desktop.copyText(command)}
        />
      </Row>
    </>
  );
}

function UpdateFaultText({ fault }: { fault: UpdateFault }) {
  const text = useText();
  switch (fault.type) {
    case 'unreachable':
    case 'badAnswer':
    case 'otherHost':
    case 'cutOff':
      return text(`updates.fault_${fault.type}`, { host: fault.host });
    case 'noPackage':
    case 'tooLarge':
    case 'badSignature':
    case 'otherVersion':
      return text(`updates.fault_${fault.type}`);
    case 'installer':
      return text('updates.fault_installer', { detail: fault.detail });
    case 'file':
      return text('updates.fault_file', { words: errorText(text, fault.error) });
  }
}
