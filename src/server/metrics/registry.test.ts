import { describe, expect, it } from 'vitest'
import { createRegistry } from './registry.ts'

describe('metrics for Prometheus', () => {
  it('[O1] have help, type and labels', async () => {
    const registry = createRegistry('test_')
    const counter = registry.counter('seen_total', 'What was seen.')
    const gauge = registry.gauge('open', 'What is open.')
    registry.measure('size', 'How large.', async () => 7)
    registry.measure('unknown', 'Nobody knows.', () => undefined)
    const histogram = registry.histogram('took_seconds', 'How long.', [0.1, 1])
    counter.add({ kind: 'a "b"\\\n' })
    counter.add({ kind: 'a "b"\\\n' }, 2)
    gauge.set(5)
    gauge.add(-2)
    for (const value of [0.05, 0.1, 0.5, 3]) histogram.observe(value)
    expect(await registry.text()).toBe(
      [
        '# HELP test_seen_total What was seen.',
        '# TYPE test_seen_total counter',
        String.raw`test_seen_total{kind="a \"b\"\\\n"} 3`,
        '# HELP test_open What is open.',
        '# TYPE test_open gauge',
        'test_open 3',
        '# HELP test_size How large.',
        '# TYPE test_size gauge',
        'test_size 7',
        '# HELP test_unknown Nobody knows.',
        '# TYPE test_unknown gauge',
        '# HELP test_took_seconds How long.',
        '# TYPE test_took_seconds histogram',
        'test_took_seconds_bucket{le="0.1"} 2',
        'test_took_seconds_bucket{le="1"} 3',
        'test_took_seconds_bucket{le="+Inf"} 4',
        'test_took_seconds_sum 3.65',
        'test_took_seconds_count 4',
        '',
      ].join('\n'),
    )
  })
})
