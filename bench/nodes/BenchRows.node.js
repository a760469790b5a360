/** Gives out as many rows as its parameters say, each with a number of its own. */
exports.BenchRows = class {
	description = {
		displayName: 'Bench Rows',
		name: 'benchRows',
		group: ['transform'],
		version: 1,
		description: 'Rows out of nothing',
		defaults: { name: 'Rows' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [
			{ displayName: 'Count', name: 'count', type: 'number', default: 1000 },
			{ displayName: 'From', name: 'from', type: 'number', default: 0 },
		],
	};

	async execute() {
		const count = this.getNodeParameter('count', 0);
		const from = this.getNodeParameter('from', 0);
		const row = (item) => ({
			json: { recipient: String(6_900_000_000 + from + item), course: 'Φυσική', grade: String(item % 11) },
			pairedItem: { item: 0 },
		});
		return [Array.from({ length: count }, (_, item) => row(item))];
	}
};
