import type { Command } from './command.ts'

/** A command that is loaded when it is called. */
export interface CommandEntry {
  readonly name: string
  /** Earlier names of the command, which still work. */
  readonly aliases?: readonly string[]
  readonly summary: string
  load(): Promise<Command>
}

/** All commands, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'Start the server and the web app',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'open',
    summary: 'Open the running server in the browser',
    load: async () => (await import('./commands/open.ts')).open,
  },
  {
    name: 'run',
    summary: 'Run a prompt in the terminal',
    load: async () => (await import('./commands/run.ts')).run,
  },
  {
    name: 'sessions',
    summary: 'List sessions',
    load: async () => (await import('./commands/sessions.ts')).sessions,
  },
  {
    name: 'search',
    summary: 'Search all sessions',
    load: async () => (await import('./commands/search.ts')).search,
  },
  {
    name: 'tail',
    summary: 'Show the transcript of a session, live while it runs',
    load: async () => (await import('./commands/tail.ts')).tail,
  },
  {
    name: 'log',
    summary: 'Show the work log of a session: one line per tool call',
    load: async () => (await import('./commands/log.ts')).log,
  },
  {
    name: 'usage',
    summary: 'Show tokens and costs by day, session, model and more',
    load: async () => (await import('./commands/usage.ts')).usage,
  },
  {
    name: 'context',
    summary: 'Show what is sent to the model, and how many tokens were saved',
    load: async () => (await import('./commands/context.ts')).context,
  },
  {
    name: 'changes',
    aliases: ['manipulations'],
    summary: 'List context changes',
    load: async () => (await import('./commands/manipulations.ts')).manipulations,
  },
  {
    name: 'undo',
    aliases: ['rollback'],
    summary: 'Undo a context change',
    load: async () => (await import('./commands/rollback.ts')).rollback,
  },
  {
    name: 'replay',
    summary: 'Replay a session at its original speed',
    load: async () => (await import('./commands/replay.ts')).replay,
  },
  {
    name: 'rebuild',
    summary: 'Translate a session again from its native messages, and show differences',
    load: async () => (await import('./commands/rebuild.ts')).rebuild,
  },
  {
    name: 'verify',
    summary: 'Check all saved data for damage',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  {
    name: 'import',
    summary: 'Import transcripts from Claude Code, Codex, OpenCode and Gemini CLI',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  {
    name: 'translate',
    summary: 'Translate native lines from standard input; nothing is saved',
    load: async () => (await import('./commands/translate.ts')).translate,
  },
  {
    name: 'doctor',
    summary: 'Check this machine, the data folder and the agents',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
]
