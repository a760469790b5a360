import { DatabaseSync } from 'node:sqlite';
import { Client, types, type ClientConfig } from 'pg';

/** Reads the database of an n8n, while n8n runs or after that. */
export interface Database {
	/** @param sql names with capitals in double quotes, `?` for each value */
	query<T>(sql: string, ...values: string[]): Promise<T[]>;
	/** A change of the database, such as a trigger that counts. */
	change(sql: string): Promise<void>;
}

/** n8n's own file, which may be read beside it. */
export class SqliteFile implements Database {
	constructor(private readonly file: string) {}

	async query<T>(sql: string, ...values: string[]): Promise<T[]> {
		const database = new DatabaseSync(this.file, { readOnly: true });
		try {
			return database.prepare(sql).all(...values) as T[];
		} finally {
			database.close();
		}
	}

	async change(sql: string): Promise<void> {
		const database = new DatabaseSync(this.file, { timeout: 5_000 });
		try {
			database.exec(sql);
		} finally {
			database.close();
		}
	}
}

/** A database of a PostgreSQL server. */
export class PostgresDatabase implements Database {
	constructor(private readonly config: ClientConfig) {}

	async query<T>(sql: string, ...values: string[]): Promise<T[]> {
		// One connection for each query, so that neither the stop of n8n nor dropping the database waits for it.
		const client = new Client(this.config);
		await client.connect();
		try {
			let position = 0;
			return (
				await client.query(
					sql.replaceAll('?', () => `$${++position}`),
					values,
				)
			).rows as T[];
		} finally {
			await client.end();
		}
	}

	async change(sql: string): Promise<void> {
		await this.query(sql);
	}
}

// Counts are 64 bits wide in PostgreSQL, which pg gives out as text.
types.setTypeParser(types.builtins.INT8, Number);
