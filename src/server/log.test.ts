import { describe, expect, it } from 'vitest'
import { cpuTime } from '../projections/cpu-time.fixture.ts'
import { createLog } from './log.ts'
import { redact } from '../protocol/redact.ts'

const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nq2q3\n-----END RSA PRIVATE KEY-----'

/** Secrets as they turn up in texts, each with the part that must be gone. */
const secrets: readonly (readonly [text: string, secret: string])[] = [
  ['Authorization: Bearer abcDEF123456._-', 'abcDEF123456'],
  ['{"authorization":"Basic dXNlcjpwYXNz"}', 'dXNlcjpwYXNz'],
  ['curl -H "Bearer abcdef0123456789"', 'abcdef0123456789'],
  ['Cookie: dragoman-4400=Zm9vYmFy; other=1', 'Zm9vYmFy'],
  ['set-cookie: a=hunter2hunter2', 'hunter2'],
  ['x-dragoman-key: Zm9vYmFy', 'Zm9vYmFy'],
  ['sec-websocket-protocol: dragoman, dragoman-key.Zm9vYmFy', 'Zm9vYmFy'],
  ['GET /?ticket=k3yk3yk3yk3y HTTP/1.1', 'k3yk3y'],
  ['https://x.example/?access_token=abcd1234&x=1', 'abcd1234'],
  ['ANTHROPIC_API_KEY=sk-ant-api03-abcdefghijklmnop', 'abcdefghijklmnop'],
  ['my key is sk-proj-abcdefghijklmnopqrstuvwx ok', 'abcdefghijkl'],
  ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'abcdefghijkl'],
  ['github_pat_11ABCDEFG0abcdefghijkl_mnopqrst', 'abcdefghijkl'],
  ['glpat-abcdefghijklmnopqrst', 'abcdefghijkl'],
  ['npm_abcdefghijklmnopqrstuvwxyz0123456789', 'abcdefghijkl'],
  ['hf_abcdefghijklmnopqrstuvwxyz', 'abcdefghijkl'],
  ['xoxb-1234567890-abcdefghijkl', 'abcdefghijkl'],
  ['AKIAIOSFODNN7EXAMPLE', 'IOSFODNN7'],
  ['AIzaSyA-abcdefghijklmnopqrstuvwxyz01234', 'abcdefghijkl'],
  ['ya29.a0AfH6SMBabcdefghijkl', 'abcdefghijkl'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w', 'eyJzdWIi'],
  ['DB_PASSWORD="correct-horse"', 'correct-horse'],
  ['{"client_secret": "correct-horse"}', 'correct-horse'],
  ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG', 'wJalrXUtnFEMI'],
  ['postgres://me:hunter2@db.example/x', 'hunter2'],
  ['deploy --token hunter2hunter2 now', 'hunter2'],
  ['mysql --password "hunter2" x', 'hunter2'],
  ['curl -u me:hunter2 https://x.example', 'hunter2'],
  ['https://x.example/a?key=hunter2hunter2&b=1', 'hunter2'],
  [`key:\n${pem}\nend`, 'MIIEpAIBAAKCAQEA7'],
  [pem.slice(0, 50), 'MIIEpAIBAAK'],
]

describe('the log', () => {
  for (const [text, secret] of secrets)
    it(`[O1] hides the secret in ${JSON.stringify(text.slice(0, 40))}`, () => {
      expect(text).toContain(secret)
      expect(redact(text)).not.toContain(secret)
      expect(redact(text)).toContain('[redacted]')
    })

  it('[O1] does not change text without secrets', () => {
    const text =
      'The session 0198f-a~b has 12 tokens and the keys of the map; monkey: banana, task-list-manager-x'
    expect(redact(text)).toBe(text)
  })

  it('[O1] writes one JSON line with session and seq, without secrets in any value', () => {
    const lines: string[] = []
    const log = createLog(line => lines.push(line), { now: () => 0, secrets: () => ['plain words'] })
    log('warning', 'Said plain words.\nTwice.', {
      session: 's',
      seq: 7,
      token: 'x',
      error: new Error('with Bearer abcdef0123456789', { cause: new Error(pem) }),
    })
    const [line = ''] = lines
    expect(line.trimEnd()).not.toContain('\n')
    expect(line).not.toMatch(/plain words|abcdef0123|MIIEp/)
    expect(JSON.parse(line)).toMatchObject({
      at: '1970-01-01T00:00:00.000Z',
      level: 'warning',
      message: 'Said [redacted].\nTwice.',
      session: 's',
      seq: 7,
      token: '[redacted]',
      error: { name: 'Error' },
    })
  })

  it('[S28] hides secrets quickly in any text', () => {
    const hostile = [
      'a'.repeat(200_000),
      'token'.repeat(40_000),
      '://a:'.repeat(40_000),
      'sk-a-'.repeat(40_000),
      '-----BEGIN PRIVATE KEY-----'.repeat(7000),
      'eyJ'.repeat(60_000),
      'cookie:'.repeat(30_000),
      'a_'.repeat(100_000),
      ' --token'.repeat(30_000),
      ' --a-'.repeat(40_000),
      ' -u a'.repeat(40_000),
    ]
    for (const text of hostile) {
      expect(
        cpuTime(() => void redact(text)),
        text.slice(0, 10),
      ).toBeLessThan(1000)
    }
  })
})
