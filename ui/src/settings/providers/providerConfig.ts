/**
 * Comparisons of provider configurations. Only the fields of the form count: the models of a provider do not.
 */
import type { ProviderConfig, ProviderKind, ProviderView } from '../../ipc/bindings';

type ProviderFields = Pick<ProviderConfig, 'kind' | 'name' | 'baseUrl' | 'exactUrl' | 'headers'>;

export const hasSameFields = (one: ProviderFields, other: ProviderFields) =>
  JSON.stringify(comparableFields(one)) === JSON.stringify(comparableFields(other));

/** True if both send their requests to the same endpoint, and so list the same models. */
export const hasSameEndpoint = (one: ProviderFields, other: ProviderFields) =>
  hasSameFields({ ...one, name: '' }, { ...other, name: '' });

/**
 * True if the provider can be called without a key from the form: it needs none, or has one
 * elsewhere.
 */
export const hasKey = (
  { headers = {} }: ProviderConfig,
  kind: ProviderKind | undefined,
  view: ProviderView | undefined,
) =>
  kind?.keyless === true ||
  typeof kind?.keyFound === 'string' ||
  (view !== undefined && view.key.type !== 'nowhere') ||
  Object.keys(headers).length > 0;

const comparableFields = ({
  kind,
  name,
  baseUrl = null,
  exactUrl = false,
  headers = {},
}: ProviderFields) => [kind, name, baseUrl, exactUrl, Object.entries(headers)];
