/**
 * "Network": the proxy for all connections.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import type { ProxySetting } from '../../ipc/bindings';
import { RadioGroup } from '../../kit/fields/RadioGroup';
import { Stack } from '../../kit/display/Stack';
import { TextField } from '../../kit/fields/TextField';
import type { SettingsPageProps } from '../useSaveSettings';

const proxyKinds: readonly ProxySetting['type'][] = ['system', 'none', 'custom'];
const proxyUrl = /^(https?|socks(4a?|5h?)?):\/\/\S+$/i;

export function NetworkPage({ settings, save }: SettingsPageProps) {
  const text = useText();
  const proxy: ProxySetting = settings.network.proxy ?? { type: 'system' };
  const custom = proxy.type === 'custom' ? proxy : { url: '', noProxy: '' };
  const [way, setWay] = useState(proxy.type);
  const [url, setUrl] = useState(custom.url);
  const [noProxy, setNoProxy] = useState(custom.noProxy);
  const usable = proxyUrl.test(url.trim());
  const keep = (next: ProxySetting) => {
    save((old) => ({ ...old, network: { ...old.network, proxy: next } }));
  };
  const keepCustom = () => {
    const unchanged = way === proxy.type && url === custom.url && noProxy === custom.noProxy;
    if (usable && !unchanged) keep({ type: 'custom', url: url.trim(), noProxy: noProxy.trim() });
  };
  return (
    <Stack>
      <RadioGroup
        label={text('settings.proxy')}
        value={way}
        choices={proxyKinds.map((value) => ({
          value,
          label: text(`settings.proxy_${value}`),
          hint: text(`settings.proxy_${value}Hint`),
        }))}
        onChange={(value) => {
          setWay(value);
          if (value !== 'custom') keep({ type: value });
          else if (usable) keep({ type: 'custom', url: url.trim(), noProxy: noProxy.trim() });
        }}
      />
      {way === 'custom' && (
        <>
          <TextField
            label={text('settings.proxyUrl')}
            value={url}
            onChange={setUrl}
            onBlur={keepCustom}
            placeholder={text('settings.proxyExample')}
            error={url === '' || usable ? undefined : text('settings.proxyWrong')}
          />
          <TextField
            label={text('settings.noProxy')}
            hint={text('settings.noProxyHint')}
            value={noProxy}
            onChange={setNoProxy}
            onBlur={keepCustom}
          />
        </>
      )}
    </Stack>
  );
}
