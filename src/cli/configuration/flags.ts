import type { Flags } from '../command.ts'

/** The options of every command that reads the data folder. */
export const folderFlags = {
  data: { type: 'string', value: 'DIR', help: 'the data folder (DRAGOMAN_DATA)' },
  config: { type: 'string', value: 'FILE', help: 'a file with settings (DRAGOMAN_CONFIG)' },
  json: { type: 'boolean', help: 'print JSON, one value per line' },
} as const satisfies Flags

/** The options of commands that may run agents. */
export const runningFlags = {
  durability: {
    type: 'string',
    value: 'full|fast',
    help: 'full: saved data survives a power cut; fast: only a crash (DRAGOMAN_DURABILITY)',
  },
  'max-running': {
    type: 'string',
    value: 'N',
    help: 'how many agents may run at once (DRAGOMAN_MAX_RUNNING)',
  },
  'idle-minutes': {
    type: 'string',
    value: 'N',
    help: 'stop an agent that is idle for this long (DRAGOMAN_IDLE_MINUTES)',
  },
  'approval-minutes': {
    type: 'string',
    value: 'N',
    help: 'deny an approval that waits for this long (DRAGOMAN_APPROVAL_MINUTES)',
  },
  context: {
    type: 'string',
    value: 'PROFILE',
    help: 'how much to trim the context: off, lossless, safe … (DRAGOMAN_CONTEXT)',
  },
  route: {
    type: 'string',
    multiple: true,
    value: 'WORD=AGENT',
    help: 'send prompts that start with WORD to an agent, as in @codex=codex (DRAGOMAN_ROUTES)',
  },
} as const satisfies Flags

/** The options of the server. */
export const servingFlags = {
  port: {
    type: 'string',
    value: 'N',
    help: 'the port (default: 4400, or the next free one); 0 picks any free one (DRAGOMAN_PORT)',
  },
  host: {
    type: 'string',
    value: 'NAME',
    help: 'the address to listen on (default: 127.0.0.1) (DRAGOMAN_HOST)',
  },
  token: {
    type: 'string',
    value: 'T',
    help: 'the API token, at least 16 characters (default: the one in the data folder) (DRAGOMAN_TOKEN)',
  },
  root: {
    type: 'string',
    multiple: true,
    value: 'DIR',
    help: 'a folder that agents may work in (default: the current folder and your home) (DRAGOMAN_ROOTS)',
  },
  'allow-host': {
    type: 'string',
    multiple: true,
    value: 'NAME',
    help: 'another host name of this server, for example behind a proxy (DRAGOMAN_ALLOW_HOSTS)',
  },
  agent: {
    type: 'string',
    value: 'NAME',
    help: 'the agent of new sessions (default: the best one that is ready) (DRAGOMAN_AGENT)',
  },
  'follow-transcripts': {
    type: 'string',
    value: 'true|false',
    help: 'show sessions while agents write them in their own terminals (default: after the first import) (DRAGOMAN_FOLLOW_TRANSCRIPTS)',
  },
  'no-open': { type: 'boolean', help: 'do not open a browser (DRAGOMAN_OPEN=false)' },
  log: {
    type: 'string',
    value: 'json|human',
    help: 'the format of the log on stderr (default on a terminal: human) (DRAGOMAN_LOG)',
  },
} as const satisfies Flags
