"""The agent loop: a model that gathers evidence with tools and answers under the citation contract."""
