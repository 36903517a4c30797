/**
 * The values of a provider's form, and the provider configuration that they make.
 */
import { useState } from 'react';
import type { ProviderConfig, ProviderKind, ProviderView } from '../../ipc/bindings';
import { hasSameFields } from './providerConfig';

type ProviderFieldsOptions = {
  /** Undefined: a new provider. */
  view: ProviderView | undefined;
  kinds: readonly ProviderKind[];
  /** Makes the id of a new provider. */
  suffix: string;
};

export function useProviderFields({ view, kinds, suffix }: ProviderFieldsOptions) {
  const [kindId, setKindId] = useState(view?.config.kind ?? kinds[0]?.id ?? '');
  const kind = kinds.find(({ id }) => id === kindId);
  const [name, setName] = useState(view?.config.name ?? kind?.name ?? '');
  const [baseUrl, setBaseUrl] = useState(view?.config.baseUrl ?? '');
  const [exactUrl, setExactUrl] = useState(view?.config.exactUrl ?? false);
  const [headers, setHeaders] = useState(view?.config.headers ?? {});
  const [key, setKey] = useState('');
  const config: ProviderConfig = {
    ...view?.config,
    id: view?.config.id ?? `${kindId}-${suffix}`,
    kind: kindId,
    name: name.trim() === '' ? (kind?.name ?? kindId) : name.trim(),
    baseUrl: baseUrl.trim() === '' ? null : baseUrl.trim(),
    exactUrl,
    headers,
  };
  const saved = view?.config ?? { kind: kindId, name: kind?.name ?? kindId };
  return {
    kind,
    /** Also changes the name, unless the user has given one. */
    setKind: (next: string) => {
      setKindId(next);
      if (name === '' || name === kind?.name) {
        setName(kinds.find(({ id }) => id === next)?.name ?? '');
      }
    },
    name,
    setName,
    baseUrl,
    setBaseUrl,
    setExactUrl,
    headers,
    setHeaders,
    key,
    setKey,
    config,
    isDirty: key !== '' || !hasSameFields(config, saved),
  };
}
