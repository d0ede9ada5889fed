import type { Flags } from '../command.ts'

/** The options of every command that looks into the data folder. */
export const folderFlags = {
  data: { type: 'string', value: 'DIR', help: 'the data folder (DRAGOMAN_DATA)' },
  config: { type: 'string', value: 'FILE', help: 'a file with settings (DRAGOMAN_CONFIG)' },
  json: { type: 'boolean', help: 'print JSON, one value per line' },
} as const satisfies Flags

/** The options of commands under which agents may run. */
export const runningFlags = {
  durability: {
    type: 'string',
    value: 'full|fast',
    help: 'what saved means: survives a power cut, or a crash only (DRAGOMAN_DURABILITY)',
  },
  'max-running': {
    type: 'string',
    value: 'N',
    help: 'how many agents may run at once (DRAGOMAN_MAX_RUNNING)',
  },
  'idle-minutes': {
    type: 'string',
    value: 'N',
    help: 'how long an agent may do nothing before it is closed (DRAGOMAN_IDLE_MINUTES)',
  },
  'approval-minutes': {
    type: 'string',
    value: 'N',
    help: 'how long a question may wait before it is denied (DRAGOMAN_APPROVAL_MINUTES)',
  },
  context: {
    type: 'string',
    value: 'PROFILE',
    help: 'how much may be left out of what models are sent: off, lossless, safe … (DRAGOMAN_CONTEXT)',
  },
  route: {
    type: 'string',
    multiple: true,
    value: 'WORD=AGENT',
    help: 'prompts that begin with the word go to the agent, as in @codex=codex (DRAGOMAN_ROUTES)',
  },
} as const satisfies Flags

/** The options of the server. */
export const servingFlags = {
  port: { type: 'string', value: 'N', help: 'the port, by default 4400; 0 takes a free one (DRAGOMAN_PORT)' },
  host: { type: 'string', value: 'NAME', help: 'where to listen, by default 127.0.0.1 (DRAGOMAN_HOST)' },
  token: {
    type: 'string',
    value: 'T',
    help: 'what programs must show, 16 characters or more; by default the one in the data folder (DRAGOMAN_TOKEN)',
  },
  root: {
    type: 'string',
    multiple: true,
    value: 'DIR',
    help: 'agents may work in and below it; by default here and in your home (DRAGOMAN_ROOTS)',
  },
  'allow-host': {
    type: 'string',
    multiple: true,
    value: 'NAME',
    help: 'a further name of this server, as behind a proxy (DRAGOMAN_ALLOW_HOSTS)',
  },
  agent: { type: 'string', value: 'NAME', help: 'the agent of new sessions (DRAGOMAN_AGENT)' },
  'no-open': { type: 'boolean', help: 'open no browser (DRAGOMAN_OPEN=false)' },
  log: {
    type: 'string',
    value: 'json|human',
    help: 'what the log on stderr looks like; human on a terminal (DRAGOMAN_LOG)',
  },
} as const satisfies Flags
