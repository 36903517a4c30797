/**
 * Handles links from other programs, and files that the program was opened with. Content is filled
 * in or asked about, never acted on. A link does not take the focus from a user who is typing: it
 * waits until they accept it.
 */
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { DeepLink, ModelRef } from '../../ipc/bindings';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import type { InstallServerLink } from '../dialogs/InstallServerDialog';
import { resolveLinkedModel } from './resolveLinkedModel';
import { LazyInstallServerDialog } from '../dialogs/lazyPanels';
import { useIsTyping } from './useIsTyping';
import type { AppNavigation } from '../navigation/appNavigation';

export function DeepLinks({ navigation }: { navigation: AppNavigation }) {
  const { links } = useBackend();
  const [suggestions, setSuggestions] = useState<readonly InstallServerLink[]>([]);
  /** The number of handled links, as a key: the next one may have the same content. */
  const [answered, setAnswered] = useState(0);
  const openNew = useOpenNewChatLink(navigation);
  const openOld = useOpenSessionLink(navigation);
  const openFile = useOpenFileLink(navigation);
  const tell = useLinkErrorToast();
  const toast = useToast();
  const reportError = useReportError(toast);
  const text = useText();
  const isTyping = useIsTyping();

  const follow = (link: DeepLink) => {
    switch (link.type) {
      case 'newChat':
        reportError(openNew(link));
        return;
      case 'chat':
        reportError(openOld(link.sessionId));
        return;
      case 'installServer':
        setSuggestions((before) => [...before, link]);
        return;
      case 'file':
        reportError(openFile(link));
        return;
      case 'showSession':
        reportError(openOld(link.sessionId));
        return;
      case 'newSession':
        navigation.toNewSession();
        return;
      case 'unreadable':
        tell('app.linkUnreadable');
    }
  };
  const arrive = useEffectEvent((link: DeepLink) => {
    // These come from the user, who chose them in the tray.
    const isChosen = link.type === 'showSession' || link.type === 'newSession';
    if (isChosen || !isTyping()) {
      follow(link);
      return;
    }
    const go = () => {
      follow(link);
    };
    toast({ words: text('app.linkWaits'), way: { words: text('app.linkFollow'), go } });
  });
  useEffect(
    () =>
      links((link) => {
        arrive(link);
      }),
    [links],
  );

  const [first] = suggestions;
  const done = () => {
    setSuggestions(([, ...rest]) => rest);
    setAnswered((before) => before + 1);
  };
  return (
    first && (
      <Suspense>
        <LazyInstallServerDialog
          key={answered}
          suggestion={first}
          onClose={done}
          onAdded={() => {
            done();
            navigation.toSettings('tools');
          }}
        />
      </Suspense>
    )
  );
}

function useLinkErrorToast() {
  const text = useText();
  const toast = useToast();
  return (key: 'app.linkUnreadable' | 'app.linkSession') => {
    toast({ words: text(key), failed: true });
  };
}

/** Opens a session with the link's text in its composer. It is not sent. */
function useOpenNewChatLink(navigation: AppNavigation) {
  const text = useText();
  const toast = useToast();
  const { commands } = useBackend();
  const find = async (model: string): Promise<ModelRef | null> => {
    const [models, providers] = await Promise.all([commands.models(), commands.providers()]);
    const linked = resolveLinkedModel(
      model,
      models.map((known) => known.model),
      providers.map(({ config }) => config),
    );
    if (typeof linked !== 'string') return linked;
    toast({ words: text(linked === 'none' ? 'app.linkModel' : 'app.linkModels', { model }) });
    return null;
  };
  return async ({ prompt, model }: Extract<DeepLink, { type: 'newChat' }>) => {
    const found = model === null ? null : await find(model);
    navigation.toSession(await commands.newChat(prompt, [], found));
  };
}

/** Opens a session with the file attached to its draft. It is not sent. */
function useOpenFileLink(navigation: AppNavigation) {
  const { commands } = useBackend();
  return async ({ path }: Extract<DeepLink, { type: 'file' }>) => {
    const file = await commands.attachFile(path);
    navigation.toSession(await commands.newChat('', [file], null));
  };
}

function useOpenSessionLink(navigation: AppNavigation) {
  const { commands } = useBackend();
  const tell = useLinkErrorToast();
  return async (wanted: number) => {
    const there = (await commands.sessions()).some(({ id }) => id === wanted);
    if (there) navigation.toSession(wanted);
    else tell('app.linkSession');
  };
}
