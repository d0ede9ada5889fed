import type { Command } from './command.ts'

/** A command that is loaded when it is called. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  load(): Promise<Command>
}

/** All commands, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'Serve sessions to browsers and programs',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'open',
    summary: 'Open the running server in the browser',
    load: async () => (await import('./commands/open.ts')).open,
  },
  {
    name: 'run',
    summary: 'Run a prompt, live in the terminal',
    load: async () => (await import('./commands/run.ts')).run,
  },
  {
    name: 'sessions',
    summary: 'List sessions',
    load: async () => (await import('./commands/sessions.ts')).sessions,
  },
  {
    name: 'tail',
    summary: 'Show what happened in a session, and what happens',
    load: async () => (await import('./commands/tail.ts')).tail,
  },
  {
    name: 'log',
    summary: 'Show what was done in a session, a line for each tool call',
    load: async () => (await import('./commands/log.ts')).log,
  },
  {
    name: 'context',
    summary: 'Show what the model of a session is sent, and what was saved',
    load: async () => (await import('./commands/context.ts')).context,
  },
  {
    name: 'manipulations',
    summary: 'Show what was done to the history that the model gets, and by whom',
    load: async () => (await import('./commands/manipulations.ts')).manipulations,
  },
  {
    name: 'rollback',
    summary: 'Take back what was done to the history that the model gets',
    load: async () => (await import('./commands/rollback.ts')).rollback,
  },
  {
    name: 'replay',
    summary: 'Show a session again at the speed at which it happened',
    load: async () => (await import('./commands/replay.ts')).replay,
  },
  {
    name: 'rebuild',
    summary: 'Translate a session again from its native words, and show what differs',
    load: async () => (await import('./commands/rebuild.ts')).rebuild,
  },
  {
    name: 'verify',
    summary: 'Look for damage in everything that was saved',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  {
    name: 'import',
    summary: 'Make sessions of what agents left on disk',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  {
    name: 'translate',
    summary: 'Translate native lines from standard input, without a store',
    load: async () => (await import('./commands/translate.ts')).translate,
  },
  {
    name: 'doctor',
    summary: 'Check this machine, the data folder and the agents',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
]
