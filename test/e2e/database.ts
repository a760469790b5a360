import { DatabaseSync } from 'node:sqlite';
import { Client, types, type ClientConfig } from 'pg';

/** Reads and changes the database of n8n, also while n8n runs. */
export interface Database {
	/** @param sql a query with `?` for each value, and with double quotes around names that have capitals */
	query<T>(sql: string, ...values: string[]): Promise<T[]>;
	/** Changes the database, for example by adding a trigger that counts. */
	change(sql: string): Promise<void>;
}

/** The SQLite file of n8n. It can be read while n8n uses it. */
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
		// Each query has its own connection, so that neither the stop of n8n nor dropping the database waits for it.
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

// PostgreSQL returns counts as 64-bit numbers, which pg returns as text by default.
types.setTypeParser(types.builtins.INT8, Number);
