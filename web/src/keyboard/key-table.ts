import type { Command } from './command.ts'

/** The shortcuts of one page: their labels, by the ID of the command. */
interface KeyGroup {
  readonly where: string
  readonly lines: Readonly<Record<string, readonly [title: string, keys: string]>>
}

/** All shortcuts, by heading. The commands take their labels and keys from here. */
export const keyTable = {
  Everywhere: {
    where: 'on every page',
    lines: {
      palette: ['Find a command or a session', 'mod+k'],
      keys: ['Show keyboard shortcuts', '?'],
    },
  },
  'Go to': {
    where: 'on every page',
    lines: {
      'go-welcome': ['Start page', 'g h'],
      'go-dashboard': ['Dashboard', 'g d'],
      'go-approvals': ['Approvals', 'g a'],
      'go-settings': ['Settings', 'g s'],
    },
  },
  Appearance: { where: 'on every page', lines: { 'theme-other': ['Toggle light and dark', 'g t'] } },
  Sessions: {
    where: 'on every page',
    lines: {
      'new-session': ['New session', 'c'],
      'search-sessions': ['Search sessions', '/'],
      'next-session': ['Next session', 'j'],
      'previous-session': ['Previous session', 'k'],
    },
  },
  Session: {
    where: 'while a session is open',
    lines: {
      write: ['Write a message', 'i'],
      stop: ['Stop the agent', 'mod+.'],
      'panel-outline': ['Outline of prompts', 'o'],
      'panel-work-log': ['Work log', 'l'],
      'panel-context': ['Context', 'x'],
      'panel-inspector': ['Raw inspector', 'r'],
      'session-Rename': ['Rename', 'f2'],
      find: ['Find in this session', 'mod+f'],
      'prompt-before': ['Your previous message', 'shift+k'],
      'prompt-after': ['Your next message', 'shift+j'],
      'next-failure': ['Next failure', 'f'],
      'previous-failure': ['Previous failure', 'shift+f'],
      'next-change': ['Next changed file', 'd'],
      'previous-change': ['Previous changed file', 'shift+d'],
      first: ['First message', 'g g'],
      latest: ['Jump to latest', 'shift+g'],
    },
  },
  Find: {
    where: 'in a session, while you find something',
    lines: {
      'find-next': ['Next match', 'n'],
      'find-previous': ['Previous match', 'shift+n'],
      'find-close': ['Close', 'escape'],
    },
  },
  Approvals: {
    where: 'in a session, while an approval is pending',
    lines: {
      'approval-allow': ['Allow', 'y'],
      'approval-deny': ['Deny', 'n'],
      'approval-always': ['Always allow', 'a'],
    },
  },
  Replay: {
    where: 'in the replay of a session',
    lines: {
      'replay-play': ['Play or pause', 'space'],
      'replay-next': ['Next entry', 'right'],
      'replay-previous': ['Previous entry', 'left'],
      'replay-next-mark': ['Next marker', 'shift+right'],
      'replay-previous-mark': ['Previous marker', 'shift+left'],
    },
  },
} as const satisfies Readonly<Record<string, KeyGroup>>

type Table = typeof keyTable

/** The commands that have keys. */
export type KeyedId = { [Group in keyof Table]: keyof Table[Group]['lines'] }[keyof Table]

/** The part of a command with keys that is the same everywhere. */
export type Keyed = Required<Pick<Command, 'title' | 'group' | 'keys'>> & { readonly id: KeyedId }

const all = new Map<string, Keyed>(
  Object.entries<KeyGroup>(keyTable).flatMap(([group, { lines }]) =>
    Object.entries(lines).map(([id, [title, keys]]) => [id, { id: id as KeyedId, title, group, keys }]),
  ),
)

/** The name and the keys of a command. */
export const keyed = (id: KeyedId): Keyed => all.get(id) as Keyed
