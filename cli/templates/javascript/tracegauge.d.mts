/** The possible values of a record's member. Members that are undefined are omitted. */
export type Value =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | ArrayBufferView
  | ArrayBufferLike
  | readonly Value[]
  | ReadonlySet<Value>
  | ReadonlyMap<Value, Value>
  | { readonly [name: string]: Value };

/** A record, whose member `record` names its kind. */
export interface TraceRecord {
  readonly record: string;
  readonly [member: string]: Value;
}

/** The class of a fault. */
export type FaultClass = 'malformed' | 'incomplete' | 'unsupported';

/** Thrown by `read` if the reader rejects a trace. */
export class Rejection extends Error {
  /**
   * Creates a rejection. `why` is a text or the reader's own error. `class` and `offset` may be
   * omitted if they are unknown.
   */
  constructor(why: unknown, details?: { class?: FaultClass; offset?: number | bigint });
  /**
   * Creates a rejection because the reader does not support a feature. It does not mean that the
   * trace is faulty.
   */
  static unsupported(feature: unknown): Rejection;
}

/** Writes the records of one case in the order in which the reader reports them. */
export interface Reporter {
  /** The tracegauge name of the case's format. */
  readonly format: string;
  /** Reports one record. */
  record(record: TraceRecord): void;
}

/** Returns a value as JSON in the protocol's canonical form. */
export function canonical(value: Value): string;

/** Runs the adapter. `reports` is 'verdict' for a reader that reports no records. */
export function run(adapter: {
  name: string;
  version: string;
  reports?: 'records' | 'verdict';
  read(bytes: Buffer, reporter: Reporter): void | Promise<void>;
}): Promise<void>;
