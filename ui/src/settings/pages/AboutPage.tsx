/**
 * "About": the version, updates, diagnostics for a report, every contacted host, and the licences.
 */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useFormats, useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ContactedHost } from '../../ipc/bindings';
import { CopyButton } from '../../kit/notifications/CopyButton';
import { Disclosure } from '../../kit/controls/Disclosure';
import { Spinner } from '../../kit/display/Spinner';
import { Row, Stack } from '../../kit/display/Stack';
import { Switch } from '../../kit/fields/Switch';
import { Table } from '../../kit/display/Table';
import { Updates } from '../about/Updates';
import type { SettingsPageProps } from '../useSaveSettings';

const Licences = lazy(() => import('../about/Licences'));

export function AboutPage({ settings, save }: SettingsPageProps) {
  const text = useText();
  const { commands, desktop } = useBackend();
  const { data: version } = useQuery({
    queryKey: ['version'],
    queryFn: () => commands.version(),
  });
  const { data: hosts } = useQuery({
    queryKey: ['hosts'],
    queryFn: () => commands.hosts(),
    staleTime: 0,
  });
  return (
    <Stack>
      {version !== undefined && <p>{text('settings.version', { version })}</p>}
      <Updates settings={settings} save={save} />
      <Row>
        <CopyButton
          worded
          label={text('diagnostics.copy')}
          copy={async () => desktop.copyText(await commands.diagnostics())}
        />
      </Row>
      <p>{text('diagnostics.copyHint')}</p>
      <Switch
        label={text('settings.catalogueRefresh')}
        hint={text('settings.catalogueRefreshHint')}
        checked={settings.catalogueRefresh}
        onChange={(catalogueRefresh) => {
          save((old) => ({ ...old, catalogueRefresh }));
        }}
      />
      <h3>{text('settings.hosts')}</h3>
      {hosts && (hosts.length === 0 ? <p>{text('settings.noHosts')}</p> : <Hosts hosts={hosts} />)}
      <h3>{text('settings.licences')}</h3>
      <p>{text('settings.ownLicence')}</p>
      <Disclosure label={text('settings.madeOf')}>
        <Suspense fallback={<Spinner>{text('kit.loading')}</Spinner>}>
          <Licences />
        </Suspense>
      </Disclosure>
    </Stack>
  );
}

function Hosts({ hosts }: { hosts: readonly ContactedHost[] }) {
  const text = useText();
  const formats = useFormats();
  return (
    <Table label={text('settings.hosts')}>
      <thead>
        <tr>
          <th scope="col">{text('settings.host')}</th>
          <th scope="col" className="number">
            {text('settings.calls')}
          </th>
          <th scope="col">{text('settings.firstAt')}</th>
          <th scope="col">{text('settings.lastAt')}</th>
        </tr>
      </thead>
      <tbody>
        {hosts.map((host) => (
          <tr key={host.host}>
            <th scope="row">{host.host}</th>
            <td className="number">{formats.exact(host.calls)}</td>
            <td className="moment">{formats.minute(host.firstAt)}</td>
            <td className="moment">{formats.minute(host.lastAt)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
