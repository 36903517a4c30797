/** Why a provider's cache was not used, in words. */
import { useText } from '../../i18n';
import type { CacheMiss } from '../../ipc/bindings';

export function useCacheMissText(): (miss: CacheMiss) => string {
  const text = useText();
  return (miss) => {
    switch (miss.type) {
      case 'tool':
        return text('usage.miss_tool', { name: miss.name });
      case 'message':
        return text('usage.miss_message', { number: miss.number });
      case 'expired':
        return text('usage.miss_expired', { count: miss.minutes });
      case 'model':
      case 'system':
      case 'compaction':
      case 'cleaning':
        return text(`usage.miss_${miss.type}`);
    }
  };
}
