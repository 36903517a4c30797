/**
 * The lasting grants: tools and servers that run without a question. Each can be revoked.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Grant, SessionId, SessionItem } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { EscapedText } from '../../kit/text/EscapedText';
import { useToast } from '../../kit/notifications/Toast';
import { escapeInvisible } from '../../kit/text/invisibleChars';
import { useSessions } from '../../state/queries/queries';
import { useToolGrants } from '../../state/queries/toolQueries';
import { useReportErrorToast } from '../useSaveSettings';

/** The consent to start a server: its name and a fingerprint of the command. */
const serverStartGrant = /^start:([^/]*)\/(?:whole:)?[0-9a-f]+$/u;

/** A server's tool and a fingerprint of its definition. */
const fingerprintedTool = /^(mcp:.*)#(?:[0-9a-f]{8}|[0-9a-f]{32})$/u;

/** A foreign database may contain any text here: invalid escapes stay as they are. */
const unescapeServer = (name: string) => name.replaceAll('%2F', '/').replaceAll('%25', '%');

type GrantTranslate = ReturnType<typeof useText>;

/** The tool without the fingerprint of its declaration, or the server that may start. */
export function grantText(text: GrantTranslate, tool: string): string {
  const server = serverStartGrant.exec(tool)?.[1];
  if (server === undefined) return tool.replace(fingerprintedTool, '$1');
  return text('toolSettings.starts', { server: unescapeServer(server) });
}

/** The session of a grant; null: all sessions. */
export function grantScopeText(
  text: GrantTranslate,
  session: SessionId | null,
  sessions: readonly SessionItem[] | undefined,
): string {
  if (session === null) return text('toolSettings.everywhere');
  const title = sessions?.find(({ id }) => id === session)?.name;
  return text('toolSettings.inSession', { title: title ?? text('toolSettings.untitled') });
}

export function AllowedTools() {
  const text = useText();
  const toast = useToast();
  const reportError = useReportErrorToast();
  const { commands } = useBackend();
  const { data: grants, refetch } = useToolGrants();
  const { data: sessions } = useSessions();
  const what = ({ tool }: Grant) => grantText(text, tool);
  const revoke = async (grant: Grant) => {
    await commands.revokeGrant(grant);
    await refetch();
    toast({ words: text('toolSettings.revoked', { grant: escapeInvisible(what(grant)) }) });
  };
  return (
    <section aria-label={text('toolSettings.grants')}>
      <h3>{text('toolSettings.grants')}</h3>
      {grants?.length === 0 && <p className="Settings-quiet">{text('toolSettings.noGrants')}</p>}
      <ul className="Settings-list">
        {grants?.map((grant) => (
          <li key={`${grant.tool} ${grant.session ?? ''}`} className="Settings-provider">
            <span className="Settings-path">
              <EscapedText words={what(grant)} />
            </span>
            <span className="Settings-quiet">{grantScopeText(text, grant.session, sessions)}</span>
            <Button
              kind="quiet"
              aria-label={text('toolSettings.revoke', { grant: escapeInvisible(what(grant)) })}
              onClick={() => {
                reportError(revoke(grant));
              }}
            >
              {text('settings.remove')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
