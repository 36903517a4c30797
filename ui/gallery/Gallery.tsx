import { useState, type ReactNode } from 'react';
import { Banner } from '../src/kit/display/Banner';
import { Button } from '../src/kit/controls/Button';
import { Dialog } from '../src/kit/overlays/Dialog';
import { Disclosure } from '../src/kit/controls/Disclosure';
import { EmptyState } from '../src/kit/display/EmptyState';
import { Icon, iconNames } from '../src/kit/controls/Icon';
import { IconButton } from '../src/kit/controls/IconButton';
import { Menu, MenuRadioGroup, MenuItem, MenuSeparator } from '../src/kit/controls/Menu';
import { Meter } from '../src/kit/display/Meter';
import { Popover } from '../src/kit/layers/Popover';
import { RadioGroup } from '../src/kit/fields/RadioGroup';
import { SearchBox } from '../src/kit/fields/SearchBox';
import { Select } from '../src/kit/fields/Select';
import { Slider } from '../src/kit/fields/Slider';
import { Row, Stack } from '../src/kit/display/Stack';
import { Spinner } from '../src/kit/display/Spinner';
import { Switch } from '../src/kit/fields/Switch';
import { Table } from '../src/kit/display/Table';
import { Tabs } from '../src/kit/controls/Tabs';
import { TextArea } from '../src/kit/fields/TextArea';
import { TextField } from '../src/kit/fields/TextField';
import { useToast } from '../src/kit/notifications/Toast';
import './gallery.css';

const models = Array.from({ length: 30 }, (_, at) => ({
  value: `model-${at}`,
  label: `some-model-${at * 7}b-instruct`,
  detail: '128k',
  group: at < 3 ? 'Demo' : 'OpenRouter',
}));

export function Gallery({ dialogOpen }: { dialogOpen: boolean }) {
  const [open, setOpen] = useState(dialogOpen);
  const toast = useToast();
  return (
    <div className="Gallery">
      <Part name="Buttons">
        <Button>Plain 普通</Button>
        <Button kind="primary" icon="send">
          Send 发送
        </Button>
        <Button kind="danger">Delete</Button>
        <Button kind="quiet">Quiet</Button>
        <Button disabled>Disabled</Button>
        <IconButton label="Sidebar" icon="sidebar" keys="Mod+B" />
        <IconButton label="Pinned" icon="pin" aria-pressed />
        <IconButton label="Disabled" icon="trash" disabled />
      </Part>
      <Part name="Icons">
        {iconNames.map((name) => (
          <Icon key={name} name={name} />
        ))}
      </Part>
      <Part name="Fields">
        <Fields />
      </Part>
      <Part name="Choices">
        <Choices />
      </Part>
      <Part name="Floating">
        <Menu trigger={<Button>Menu</Button>}>
          <MenuItem icon="edit" onSelect={() => undefined}>
            Rename
          </MenuItem>
          <MenuItem icon="pin" keys="Mod+P" onSelect={() => undefined}>
            Pin
          </MenuItem>
          <MenuSeparator />
          <MenuRadioGroup
            value="global"
            onChange={() => undefined}
            choices={[
              { value: 'global', label: '跟随全局' },
              { value: 'off', label: '强制关闭' },
            ]}
          />
          <MenuSeparator />
          <MenuItem icon="trash" danger onSelect={() => undefined}>
            Delete
          </MenuItem>
        </Menu>
        <Popover label="Popover" trigger={<Button>Popover</Button>}>
          What hangs from a button.
        </Popover>
        <Button
          onClick={() => {
            setOpen(true);
          }}
        >
          Dialog
        </Button>
        <Button
          onClick={() => {
            toast({ words: 'Session deleted 会话已删除', undo: () => undefined });
          }}
        >
          Toast
        </Button>
        <Button
          onClick={() => {
            toast({ words: 'The file could not be written', failed: true });
          }}
        >
          Failure
        </Button>
      </Part>
      <Part name="States">
        <Spinner>Optimising context… 正在优化上下文…</Spinner>
        <div style={{ width: '100%' }}>
          <Meter label="Usage" value={45} max={128} ticks={[57.6]} written="35 %" />
          <Meter
            label="Usage"
            value={100}
            max={128}
            level="caution"
            ticks={[57.6]}
            written="35 %"
          />
          <Meter
            label="Usage"
            value={140}
            max={128}
            level="critical"
            ticks={[57.6]}
            written="35 %"
          />
          <Banner kind="info">Offline 离线</Banner>
          <Banner kind="warning" actions={<Button>Retry</Button>}>
            Rate limited, trying again in 12 s
          </Banner>
          <Banner kind="danger">The database was written by a newer version.</Banner>
          <Disclosure label="Breakdown" initiallyOpen>
            <Table label="Breakdown">
              <thead>
                <tr>
                  <th>Category</th>
                  <th className="number">Tokens</th>
                </tr>
              </thead>
              <tbody>
                <tr>
                  <th>System prompt 系统提示词</th>
                  <td className="number">4,812</td>
                </tr>
              </tbody>
            </Table>
          </Disclosure>
        </div>
      </Part>
      <Part name="Empty">
        <EmptyState
          title="Nothing here yet 还没有会话"
          actions={<Button kind="primary">Talk to the demo model</Button>}
        >
          A conversation that never has to end.
        </EmptyState>
      </Part>
      {open && (
        <Dialog
          title="Settings 设置"
          size="full"
          onClose={() => {
            setOpen(false);
          }}
          actions={<Button kind="primary">Save</Button>}
        >
          <Pages />
        </Dialog>
      )}
    </div>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section>
      <h3>{name}</h3>
      <Row>{children}</Row>
    </section>
  );
}

function Fields() {
  const [words, setWords] = useState('');
  const [model, setModel] = useState<string | null>('model-1');
  return (
    <Stack>
      <TextField
        label="Base URL"
        hint="Calls https://…/v1/chat/completions"
        value={words}
        onChange={setWords}
      />
      <TextField
        label="API key"
        type="password"
        error="The server refused this key."
        value={words}
        onChange={setWords}
      />
      <SearchBox label="Search" value={words} onChange={setWords} />
      <Select label="Model" options={models} value={model} onChange={setModel} />
      <Select label="Quiet" labelHidden quiet options={models} value={model} onChange={setModel} />
      <TextArea label="Reminder" value={words} onChange={setWords} />
    </Stack>
  );
}

function Choices() {
  const [on, setOn] = useState(true);
  const [percent, setPercent] = useState(60);
  const [strategy, setStrategy] = useState<'summarize' | 'remind'>('summarize');
  return (
    <Stack>
      <Switch
        label="Auto-compaction 自动压缩"
        hint="Follows the global default"
        checked={on}
        onChange={setOn}
      />
      <Switch label="Off" checked={!on} onChange={setOn} />
      <Switch label="Disabled" checked disabled onChange={setOn} />
      <Slider
        label="Compaction threshold 压缩阈值"
        hint={() => 'Balances cost and memory.'}
        ends={['Cost first', 'Keep information']}
        min={40}
        max={90}
        step={5}
        value={percent}
        written={(value) => `${value}%`}
        onChange={setPercent}
      />
      <RadioGroup
        label="When the context fills up"
        value={strategy}
        onChange={setStrategy}
        choices={[
          { value: 'summarize', label: 'Summarise 生成摘要', hint: 'The model writes a summary.' },
          { value: 'remind', label: 'Remind the model 提醒模型整理' },
        ]}
      />
    </Stack>
  );
}

function Pages() {
  const [page, setPage] = useState('context');
  return (
    <Tabs
      label="Settings"
      current={page}
      onChange={setPage}
      tabs={[
        { id: 'context', label: 'Context management', content: <Choices /> },
        { id: 'providers', label: 'Providers', content: <Fields /> },
        { id: 'about', label: '关于', content: '…' },
      ]}
    />
  );
}
