/** What says nothing to a person: state that is told elsewhere, or that no one sees here. */
const silent: ReadonlySet<string> = new Set([
  'catalog.updated',
  'command.executed',
  'file.edited',
  'file.watcher.updated',
  'installation.update-available',
  'installation.updated',
  'lsp.client.diagnostics',
  'lsp.updated',
  'mcp.tools.changed',
  'message.removed',
  'models-dev.refreshed',
  'plugin.added',
  'project.directories.updated',
  'project.updated',
  'reference.updated',
  'server.connected',
  'server.heartbeat',
  'server.instance.disposed',
  'session.deleted',
  'vcs.branch.updated',
])

/** Families of events: terminals and the terminal program's own screen, and the next protocol, which tells all once more. */
const families = ['integration.', 'permission.v2.', 'pty.', 'question.v2.', 'session.next.', 'tui.']

/** Whether events of a kind say nothing to a person. */
export const isSilent = (kind: string): boolean =>
  silent.has(kind) || families.some(family => kind.startsWith(family))
